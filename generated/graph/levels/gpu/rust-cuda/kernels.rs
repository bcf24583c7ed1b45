//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    kernel_2: Kernel,
    kernel_3: Kernel,
    kernel_4: Kernel,
    kernel_5: Kernel,
    look_for_a_neighbour_of_with_level_kernel: Kernel,
    kernel_6: Kernel,
    kernel_7: Kernel,
    kernel_8: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            kernel_2: device.kernel("kernel_2"),
            kernel_3: device.kernel("kernel_3"),
            kernel_4: device.kernel("kernel_4"),
            kernel_5: device.kernel("kernel_5"),
            look_for_a_neighbour_of_with_level_kernel: device.kernel("look_for_a_neighbour_of_with_level_kernel"),
            kernel_6: device.kernel("kernel_6"),
            kernel_7: device.kernel("kernel_7"),
            kernel_8: device.kernel("kernel_8"),
        }
    }

    pub fn kernel_2(&self, grid: Grid, n: i32, level: &DeviceArray<i32>, found: &DeviceArray<i32>) {
        if grid.blocks == 0 {
            return;
        }
        let level = level.cells();
        let found = found.cells();
        let mut launch = self.device.launch(&self.kernel_2);
        launch.arg(&n).arg(&*level).arg(&*found);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_2.start(&mut launch, grid, 0) };
    }

    pub fn kernel_3(&self, grid: Grid, n: i32, level: &DeviceArray<i32>) {
        if grid.blocks == 0 {
            return;
        }
        let level = level.cells();
        let mut launch = self.device.launch(&self.kernel_3);
        launch.arg(&n).arg(&*level);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_3.start(&mut launch, grid, 0) };
    }

    pub fn kernel_4(&self, grid: Grid, n: i32, found: &DeviceArray<i32>) {
        if grid.blocks == 0 {
            return;
        }
        let found = found.cells();
        let mut launch = self.device.launch(&self.kernel_4);
        launch.arg(&n).arg(&*found);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_4.start(&mut launch, grid, 0) };
    }

    pub fn kernel_5(
        &self,
        grid: Grid,
        n: i32,
        depth: i32,
        found: &DeviceArray<i32>,
        cell_2: &DeviceArray<i32>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let found = found.cells();
        let cell_2 = cell_2.cells();
        let mut launch = self.device.launch(&self.kernel_5);
        launch.arg(&n).arg(&depth).arg(&*found).arg(&*cell_2);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_5.start(&mut launch, grid, 0) };
    }

    pub fn look_for_a_neighbour_of_with_level_kernel(
        &self,
        grid: Grid,
        n: i32,
        degree: i32,
        depth: i32,
        first: &DeviceArray<i32>,
        neighbour: &DeviceArray<i32>,
        level: &DeviceArray<i32>,
        next: &DeviceArray<i32>,
        found: &DeviceArray<i32>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let first = first.cells();
        let neighbour = neighbour.cells();
        let level = level.cells();
        let next = next.cells();
        let found = found.cells();
        let mut launch = self.device.launch(&self.look_for_a_neighbour_of_with_level_kernel);
        launch
            .arg(&n)
            .arg(&degree)
            .arg(&depth)
            .arg(&*first)
            .arg(&*neighbour)
            .arg(&*level)
            .arg(&*next)
            .arg(&*found);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.look_for_a_neighbour_of_with_level_kernel.start(&mut launch, grid, 0) };
    }

    pub fn kernel_6(&self, grid: Grid, n: i32, level: &DeviceArray<i32>, next: &DeviceArray<i32>) {
        if grid.blocks == 0 {
            return;
        }
        let level = level.cells();
        let next = next.cells();
        let mut launch = self.device.launch(&self.kernel_6);
        launch.arg(&n).arg(&*level).arg(&*next);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_6.start(&mut launch, grid, 0) };
    }

    pub fn kernel_7(
        &self,
        grid: Grid,
        n: i32,
        depth: i32,
        found: &DeviceArray<i32>,
        cell_2: &DeviceArray<i32>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let found = found.cells();
        let cell_2 = cell_2.cells();
        let mut launch = self.device.launch(&self.kernel_7);
        launch.arg(&n).arg(&depth).arg(&*found).arg(&*cell_2);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_7.start(&mut launch, grid, 0) };
    }

    pub fn kernel_8(
        &self,
        grid: Grid,
        n: i32,
        degree: i32,
        first: &DeviceArray<i32>,
        neighbour: &DeviceArray<i32>,
        level: &DeviceArray<i32>,
        partial: &DeviceArray<i32>,
        partial_2: &DeviceArray<i32>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let first = first.cells();
        let neighbour = neighbour.cells();
        let level = level.cells();
        let partial = partial.cells();
        let partial_2 = partial_2.cells();
        let mut launch = self.device.launch(&self.kernel_8);
        launch
            .arg(&n)
            .arg(&degree)
            .arg(&*first)
            .arg(&*neighbour)
            .arg(&*level)
            .arg(&*partial)
            .arg(&*partial_2);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_8.start(&mut launch, grid, 0) };
    }
}
