//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    find_cell_of_the_product_kernel: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            find_cell_of_the_product_kernel: device.kernel("find_cell_of_the_product_kernel"),
        }
    }

    pub fn find_cell_of_the_product_kernel(
        &self,
        grid: Grid,
        n: i32,
        k: i32,
        m: i32,
        a: &DeviceArray<Real>,
        b: &DeviceArray<Real>,
        c: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let a = a.cells();
        let b = b.cells();
        let c = c.cells();
        let mut launch = self.device.launch(&self.find_cell_of_the_product_kernel);
        launch.arg(&n).arg(&k).arg(&m).arg(&*a).arg(&*b).arg(&*c);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.find_cell_of_the_product_kernel.start(&mut launch, grid, 0) };
    }
}
