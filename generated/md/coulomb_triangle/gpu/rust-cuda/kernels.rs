//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::vector::Vec3;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    kernel_2: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            kernel_2: device.kernel("kernel_2"),
        }
    }

    pub fn kernel_2(&self, grid: Grid, n: i32, f: &DeviceArray<Vec3>) {
        if grid.blocks == 0 {
            return;
        }
        let f = f.cells();
        let mut launch = self.device.launch(&self.kernel_2);
        launch.arg(&n).arg(&*f);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_2.start(&mut launch, grid, 0) };
    }
}
