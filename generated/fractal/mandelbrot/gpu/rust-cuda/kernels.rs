//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    count_the_steps_of_point_kernel: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            count_the_steps_of_point_kernel: device.kernel("count_the_steps_of_point_kernel"),
        }
    }

    pub fn count_the_steps_of_point_kernel(
        &self,
        grid: Grid,
        n: i32,
        most: i32,
        steps: &DeviceArray<i32>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let steps = steps.cells();
        let mut launch = self.device.launch(&self.count_the_steps_of_point_kernel);
        launch.arg(&n).arg(&most).arg(&*steps);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.count_the_steps_of_point_kernel.start(&mut launch, grid, 0) };
    }
}
