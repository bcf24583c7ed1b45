//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    start_with_one_half_wave_kernel: Kernel,
    step_from_to_kernel: Kernel,
    step_from_to_kernel_2: Kernel,
    compare_with_the_exact_solution_kernel: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            start_with_one_half_wave_kernel: device.kernel("start_with_one_half_wave_kernel"),
            step_from_to_kernel: device.kernel("step_from_to_kernel"),
            step_from_to_kernel_2: device.kernel("step_from_to_kernel_2"),
            compare_with_the_exact_solution_kernel: device.kernel("compare_with_the_exact_solution_kernel"),
        }
    }

    /// Start with one half wave
    pub fn start_with_one_half_wave_kernel(
        &self,
        grid: Grid,
        n: i32,
        m: i32,
        u: &DeviceArray<Real>,
        v: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let u = u.cells();
        let v = v.cells();
        let mut launch = self.device.launch(&self.start_with_one_half_wave_kernel);
        launch.arg(&n).arg(&m).arg(&*u).arg(&*v);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.start_with_one_half_wave_kernel.start(&mut launch, grid, 0) };
    }

    /// Step from (u) to (v)
    pub fn step_from_to_kernel(
        &self,
        grid: Grid,
        n: i32,
        m: i32,
        c: Real,
        u: &DeviceArray<Real>,
        v: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let u = u.cells();
        let v = v.cells();
        let mut launch = self.device.launch(&self.step_from_to_kernel);
        launch.arg(&n).arg(&m).arg(&c).arg(&*u).arg(&*v);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.step_from_to_kernel.start(&mut launch, grid, 0) };
    }

    /// Step from (v) to (u)
    pub fn step_from_to_kernel_2(
        &self,
        grid: Grid,
        n: i32,
        m: i32,
        c: Real,
        u: &DeviceArray<Real>,
        v: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let u = u.cells();
        let v = v.cells();
        let mut launch = self.device.launch(&self.step_from_to_kernel_2);
        launch.arg(&n).arg(&m).arg(&c).arg(&*u).arg(&*v);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.step_from_to_kernel_2.start(&mut launch, grid, 0) };
    }

    /// Compare with the exact solution
    pub fn compare_with_the_exact_solution_kernel(
        &self,
        grid: Grid,
        n: i32,
        m: i32,
        worst: f64,
        scale: f64,
        u: &DeviceArray<Real>,
        partial: &DeviceArray<f64>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let u = u.cells();
        let partial = partial.cells();
        let mut launch = self.device.launch(&self.compare_with_the_exact_solution_kernel);
        launch
            .arg(&n)
            .arg(&m)
            .arg(&worst)
            .arg(&scale)
            .arg(&*u)
            .arg(&*partial);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.compare_with_the_exact_solution_kernel.start(&mut launch, grid, 0) };
    }
}
