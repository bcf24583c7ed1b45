//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::vector::Vec3;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    find_the_energy_into_kernel: Kernel,
    compute_acceleration_and_jerk_of_body_from_and_kernel: Kernel,
    predict_coordinates_and_velocity_of_body_kernel: Kernel,
    compute_acceleration_and_jerk_of_body_from_and_kernel_2: Kernel,
    correct_coordinates_and_velocity_of_body_kernel: Kernel,
    find_the_energy_into_kernel_2: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            find_the_energy_into_kernel: device.kernel("find_the_energy_into_kernel"),
            compute_acceleration_and_jerk_of_body_from_and_kernel: device.kernel("compute_acceleration_and_jerk_of_body_from_and_kernel"),
            predict_coordinates_and_velocity_of_body_kernel: device.kernel("predict_coordinates_and_velocity_of_body_kernel"),
            compute_acceleration_and_jerk_of_body_from_and_kernel_2: device.kernel("compute_acceleration_and_jerk_of_body_from_and_kernel_2"),
            correct_coordinates_and_velocity_of_body_kernel: device.kernel("correct_coordinates_and_velocity_of_body_kernel"),
            find_the_energy_into_kernel_2: device.kernel("find_the_energy_into_kernel_2"),
        }
    }

    /// Find the energy into (E)
    pub fn find_the_energy_into_kernel(
        &self,
        grid: Grid,
        n: i32,
        eps: Real,
        m: &DeviceArray<Real>,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        partial: &DeviceArray<f64>,
        partial_2: &DeviceArray<f64>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let r = r.cells();
        let v = v.cells();
        let partial = partial.cells();
        let partial_2 = partial_2.cells();
        let mut launch = self.device.launch(&self.find_the_energy_into_kernel);
        launch
            .arg(&n)
            .arg(&eps)
            .arg(&*m)
            .arg(&*r)
            .arg(&*v)
            .arg(&*partial)
            .arg(&*partial_2);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.find_the_energy_into_kernel.start(&mut launch, grid, 0) };
    }

    pub fn compute_acceleration_and_jerk_of_body_from_and_kernel(
        &self,
        grid: Grid,
        n: i32,
        eps: Real,
        m: &DeviceArray<Real>,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        a0: &DeviceArray<Vec3>,
        j0: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let r = r.cells();
        let v = v.cells();
        let a0 = a0.cells();
        let j0 = j0.cells();
        let mut launch = self.device.launch(&self.compute_acceleration_and_jerk_of_body_from_and_kernel);
        launch
            .arg(&n)
            .arg(&eps)
            .arg(&*m)
            .arg(&*r)
            .arg(&*v)
            .arg(&*a0)
            .arg(&*j0);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.compute_acceleration_and_jerk_of_body_from_and_kernel.start(&mut launch, grid, 0) };
    }

    pub fn predict_coordinates_and_velocity_of_body_kernel(
        &self,
        grid: Grid,
        n: i32,
        dt: Real,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        a0: &DeviceArray<Vec3>,
        j0: &DeviceArray<Vec3>,
        rp: &DeviceArray<Vec3>,
        vp: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let r = r.cells();
        let v = v.cells();
        let a0 = a0.cells();
        let j0 = j0.cells();
        let rp = rp.cells();
        let vp = vp.cells();
        let mut launch = self.device.launch(&self.predict_coordinates_and_velocity_of_body_kernel);
        launch
            .arg(&n)
            .arg(&dt)
            .arg(&*r)
            .arg(&*v)
            .arg(&*a0)
            .arg(&*j0)
            .arg(&*rp)
            .arg(&*vp);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.predict_coordinates_and_velocity_of_body_kernel.start(&mut launch, grid, 0) };
    }

    pub fn compute_acceleration_and_jerk_of_body_from_and_kernel_2(
        &self,
        grid: Grid,
        n: i32,
        eps: Real,
        m: &DeviceArray<Real>,
        a1: &DeviceArray<Vec3>,
        j1: &DeviceArray<Vec3>,
        rp: &DeviceArray<Vec3>,
        vp: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let a1 = a1.cells();
        let j1 = j1.cells();
        let rp = rp.cells();
        let vp = vp.cells();
        let mut launch = self.device.launch(&self.compute_acceleration_and_jerk_of_body_from_and_kernel_2);
        launch
            .arg(&n)
            .arg(&eps)
            .arg(&*m)
            .arg(&*a1)
            .arg(&*j1)
            .arg(&*rp)
            .arg(&*vp);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.compute_acceleration_and_jerk_of_body_from_and_kernel_2.start(&mut launch, grid, 0) };
    }

    pub fn correct_coordinates_and_velocity_of_body_kernel(
        &self,
        grid: Grid,
        n: i32,
        dt: Real,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        a0: &DeviceArray<Vec3>,
        j0: &DeviceArray<Vec3>,
        a1: &DeviceArray<Vec3>,
        j1: &DeviceArray<Vec3>,
        rp: &DeviceArray<Vec3>,
        vp: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let r = r.cells();
        let v = v.cells();
        let a0 = a0.cells();
        let j0 = j0.cells();
        let a1 = a1.cells();
        let j1 = j1.cells();
        let rp = rp.cells();
        let vp = vp.cells();
        let mut launch = self.device.launch(&self.correct_coordinates_and_velocity_of_body_kernel);
        launch
            .arg(&n)
            .arg(&dt)
            .arg(&*r)
            .arg(&*v)
            .arg(&*a0)
            .arg(&*j0)
            .arg(&*a1)
            .arg(&*j1)
            .arg(&*rp)
            .arg(&*vp);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.correct_coordinates_and_velocity_of_body_kernel.start(&mut launch, grid, 0) };
    }

    /// Find the energy into (E)
    pub fn find_the_energy_into_kernel_2(
        &self,
        grid: Grid,
        n: i32,
        eps: Real,
        m: &DeviceArray<Real>,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        partial_3: &DeviceArray<f64>,
        partial_4: &DeviceArray<f64>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let r = r.cells();
        let v = v.cells();
        let partial_3 = partial_3.cells();
        let partial_4 = partial_4.cells();
        let mut launch = self.device.launch(&self.find_the_energy_into_kernel_2);
        launch
            .arg(&n)
            .arg(&eps)
            .arg(&*m)
            .arg(&*r)
            .arg(&*v)
            .arg(&*partial_3)
            .arg(&*partial_4);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.find_the_energy_into_kernel_2.start(&mut launch, grid, 0) };
    }
}
