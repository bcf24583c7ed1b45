//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    kernel_2: Kernel,
    kernel_3: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            kernel_2: device.kernel("kernel_2"),
            kernel_3: device.kernel("kernel_3"),
        }
    }

    pub fn kernel_2(&self, grid: Grid, bins: i32, count: &DeviceArray<i32>) {
        if grid.blocks == 0 {
            return;
        }
        let count = count.cells();
        let mut launch = self.device.launch(&self.kernel_2);
        launch.arg(&bins).arg(&*count);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_2.start(&mut launch, grid, 0) };
    }

    pub fn kernel_3(
        &self,
        grid: Grid,
        n: i32,
        bins: i32,
        x: &DeviceArray<Real>,
        count: &DeviceArray<i32>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let x = x.cells();
        let count = count.cells();
        let mut launch = self.device.launch(&self.kernel_3);
        launch.arg(&n).arg(&bins).arg(&*x).arg(&*count);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_3.start(&mut launch, grid, 0) };
    }
}
