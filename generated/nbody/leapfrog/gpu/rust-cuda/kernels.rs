//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::vector::Vec3;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    compute_the_acceleration_of_body_kernel: Kernel,
    kick_body_by_half_a_step_kernel: Kernel,
    compute_the_acceleration_of_body_kernel_2: Kernel,
    kick_body_by_half_a_step_kernel_2: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            compute_the_acceleration_of_body_kernel: device.kernel("compute_the_acceleration_of_body_kernel"),
            kick_body_by_half_a_step_kernel: device.kernel("kick_body_by_half_a_step_kernel"),
            compute_the_acceleration_of_body_kernel_2: device.kernel("compute_the_acceleration_of_body_kernel_2"),
            kick_body_by_half_a_step_kernel_2: device.kernel("kick_body_by_half_a_step_kernel_2"),
        }
    }

    pub fn compute_the_acceleration_of_body_kernel(
        &self,
        grid: Grid,
        n: i32,
        eps: Real,
        m: &DeviceArray<Real>,
        r: &DeviceArray<Vec3>,
        acc: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let r = r.cells();
        let acc = acc.cells();
        let mut launch = self.device.launch(&self.compute_the_acceleration_of_body_kernel);
        launch.arg(&n).arg(&eps).arg(&*m).arg(&*r).arg(&*acc);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.compute_the_acceleration_of_body_kernel.start(&mut launch, grid, 0) };
    }

    pub fn kick_body_by_half_a_step_kernel(
        &self,
        grid: Grid,
        n: i32,
        dt: Real,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        acc: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let r = r.cells();
        let v = v.cells();
        let acc = acc.cells();
        let mut launch = self.device.launch(&self.kick_body_by_half_a_step_kernel);
        launch.arg(&n).arg(&dt).arg(&*r).arg(&*v).arg(&*acc);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kick_body_by_half_a_step_kernel.start(&mut launch, grid, 0) };
    }

    pub fn compute_the_acceleration_of_body_kernel_2(
        &self,
        grid: Grid,
        n: i32,
        eps: Real,
        m: &DeviceArray<Real>,
        r: &DeviceArray<Vec3>,
        acc: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let r = r.cells();
        let acc = acc.cells();
        let mut launch = self.device.launch(&self.compute_the_acceleration_of_body_kernel_2);
        launch.arg(&n).arg(&eps).arg(&*m).arg(&*r).arg(&*acc);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.compute_the_acceleration_of_body_kernel_2.start(&mut launch, grid, 0) };
    }

    pub fn kick_body_by_half_a_step_kernel_2(
        &self,
        grid: Grid,
        n: i32,
        dt: Real,
        v: &DeviceArray<Vec3>,
        acc: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let v = v.cells();
        let acc = acc.cells();
        let mut launch = self.device.launch(&self.kick_body_by_half_a_step_kernel_2);
        launch.arg(&n).arg(&dt).arg(&*v).arg(&*acc);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kick_body_by_half_a_step_kernel_2.start(&mut launch, grid, 0) };
    }
}
