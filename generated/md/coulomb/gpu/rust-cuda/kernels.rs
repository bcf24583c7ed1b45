//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::vector::Vec3;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    sum_the_forces_on_ion_kernel: Kernel,
    add_up_all_forces_kernel: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            sum_the_forces_on_ion_kernel: device.kernel("sum_the_forces_on_ion_kernel"),
            add_up_all_forces_kernel: device.kernel("add_up_all_forces_kernel"),
        }
    }

    pub fn sum_the_forces_on_ion_kernel(
        &self,
        grid: Grid,
        n: i32,
        r: &DeviceArray<Vec3>,
        kind: &DeviceArray<i32>,
        charge: &DeviceArray<Real>,
        reach: &DeviceArray<Real>,
        exponent: &DeviceArray<Real>,
        f: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let r = r.cells();
        let kind = kind.cells();
        let charge = charge.cells();
        let reach = reach.cells();
        let exponent = exponent.cells();
        let f = f.cells();
        let mut launch = self.device.launch(&self.sum_the_forces_on_ion_kernel);
        launch
            .arg(&n)
            .arg(&*r)
            .arg(&*kind)
            .arg(&*charge)
            .arg(&*reach)
            .arg(&*exponent)
            .arg(&*f);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.sum_the_forces_on_ion_kernel.start(&mut launch, grid, 0) };
    }

    /// Add up all forces
    pub fn add_up_all_forces_kernel(
        &self,
        grid: Grid,
        n: i32,
        f: &DeviceArray<Vec3>,
        partial: &DeviceArray<f64>,
        partial_2: &DeviceArray<f64>,
        partial_3: &DeviceArray<f64>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let f = f.cells();
        let partial = partial.cells();
        let partial_2 = partial_2.cells();
        let partial_3 = partial_3.cells();
        let mut launch = self.device.launch(&self.add_up_all_forces_kernel);
        launch
            .arg(&n)
            .arg(&*f)
            .arg(&*partial)
            .arg(&*partial_2)
            .arg(&*partial_3);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.add_up_all_forces_kernel.start(&mut launch, grid, 0) };
    }
}
