//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::vector::Vec3;
use crate::Real;
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

    pub fn kernel_2(
        &self,
        grid: Grid,
        n: i32,
        h: Real,
        m: &DeviceArray<Real>,
        r: &DeviceArray<Vec3>,
        density: &DeviceArray<Real>,
        neighbours: &DeviceArray<i32>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let r = r.cells();
        let density = density.cells();
        let neighbours = neighbours.cells();
        let mut launch = self.device.launch(&self.kernel_2);
        launch
            .arg(&n)
            .arg(&h)
            .arg(&*m)
            .arg(&*r)
            .arg(&*density)
            .arg(&*neighbours);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_2.start(&mut launch, grid, 0) };
    }
}
