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
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            compute_the_acceleration_of_body_kernel: device.kernel("compute_the_acceleration_of_body_kernel"),
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
}
