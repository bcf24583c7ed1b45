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
    find_the_nearest_centre_of_point_kernel: Kernel,
    move_centre_to_the_middle_of_its_points_kernel: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            kernel_2: device.kernel("kernel_2"),
            find_the_nearest_centre_of_point_kernel: device.kernel("find_the_nearest_centre_of_point_kernel"),
            move_centre_to_the_middle_of_its_points_kernel: device.kernel("move_centre_to_the_middle_of_its_points_kernel"),
        }
    }

    pub fn kernel_2(
        &self,
        grid: Grid,
        n: i32,
        k: i32,
        p: &DeviceArray<Vec3>,
        centre: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let p = p.cells();
        let centre = centre.cells();
        let mut launch = self.device.launch(&self.kernel_2);
        launch.arg(&n).arg(&k).arg(&*p).arg(&*centre);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_2.start(&mut launch, grid, 0) };
    }

    pub fn find_the_nearest_centre_of_point_kernel(
        &self,
        grid: Grid,
        n: i32,
        k: i32,
        p: &DeviceArray<Vec3>,
        label: &DeviceArray<i32>,
        d2: &DeviceArray<Real>,
        centre: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let p = p.cells();
        let label = label.cells();
        let d2 = d2.cells();
        let centre = centre.cells();
        let mut launch = self.device.launch(&self.find_the_nearest_centre_of_point_kernel);
        launch
            .arg(&n)
            .arg(&k)
            .arg(&*p)
            .arg(&*label)
            .arg(&*d2)
            .arg(&*centre);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.find_the_nearest_centre_of_point_kernel.start(&mut launch, grid, 0) };
    }

    pub fn move_centre_to_the_middle_of_its_points_kernel(
        &self,
        grid: Grid,
        n: i32,
        k: i32,
        p: &DeviceArray<Vec3>,
        label: &DeviceArray<i32>,
        centre: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let p = p.cells();
        let label = label.cells();
        let centre = centre.cells();
        let mut launch = self.device.launch(&self.move_centre_to_the_middle_of_its_points_kernel);
        launch.arg(&n).arg(&k).arg(&*p).arg(&*label).arg(&*centre);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.move_centre_to_the_middle_of_its_points_kernel.start(&mut launch, grid, 0) };
    }
}
