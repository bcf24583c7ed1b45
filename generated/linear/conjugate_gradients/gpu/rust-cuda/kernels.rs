//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    kernel_2: Kernel,
    multiply_the_matrix_by_into_kernel: Kernel,
    kernel_3: Kernel,
    multiply_the_matrix_by_into_kernel_2: Kernel,
    kernel_4: Kernel,
    kernel_5: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            kernel_2: device.kernel("kernel_2"),
            multiply_the_matrix_by_into_kernel: device.kernel("multiply_the_matrix_by_into_kernel"),
            kernel_3: device.kernel("kernel_3"),
            multiply_the_matrix_by_into_kernel_2: device.kernel("multiply_the_matrix_by_into_kernel_2"),
            kernel_4: device.kernel("kernel_4"),
            kernel_5: device.kernel("kernel_5"),
        }
    }

    pub fn kernel_2(&self, grid: Grid, n: i32, x: &DeviceArray<Real>) {
        if grid.blocks == 0 {
            return;
        }
        let x = x.cells();
        let mut launch = self.device.launch(&self.kernel_2);
        launch.arg(&n).arg(&*x);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_2.start(&mut launch, grid, 0) };
    }

    /// Multiply the matrix by (x) into (b)
    pub fn multiply_the_matrix_by_into_kernel(
        &self,
        grid: Grid,
        n: i32,
        first: &DeviceArray<i32>,
        column: &DeviceArray<i32>,
        value: &DeviceArray<Real>,
        x: &DeviceArray<Real>,
        b: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let first = first.cells();
        let column = column.cells();
        let value = value.cells();
        let x = x.cells();
        let b = b.cells();
        let mut launch = self.device.launch(&self.multiply_the_matrix_by_into_kernel);
        launch
            .arg(&n)
            .arg(&*first)
            .arg(&*column)
            .arg(&*value)
            .arg(&*x)
            .arg(&*b);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.multiply_the_matrix_by_into_kernel.start(&mut launch, grid, 0) };
    }

    pub fn kernel_3(
        &self,
        grid: Grid,
        n: i32,
        x: &DeviceArray<Real>,
        b: &DeviceArray<Real>,
        residual: &DeviceArray<Real>,
        p: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let x = x.cells();
        let b = b.cells();
        let residual = residual.cells();
        let p = p.cells();
        let mut launch = self.device.launch(&self.kernel_3);
        launch.arg(&n).arg(&*x).arg(&*b).arg(&*residual).arg(&*p);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_3.start(&mut launch, grid, 0) };
    }

    /// Multiply the matrix by (p) into (Ap)
    pub fn multiply_the_matrix_by_into_kernel_2(
        &self,
        grid: Grid,
        n: i32,
        first: &DeviceArray<i32>,
        column: &DeviceArray<i32>,
        value: &DeviceArray<Real>,
        p: &DeviceArray<Real>,
        ap: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let first = first.cells();
        let column = column.cells();
        let value = value.cells();
        let p = p.cells();
        let ap = ap.cells();
        let mut launch = self.device.launch(&self.multiply_the_matrix_by_into_kernel_2);
        launch
            .arg(&n)
            .arg(&*first)
            .arg(&*column)
            .arg(&*value)
            .arg(&*p)
            .arg(&*ap);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.multiply_the_matrix_by_into_kernel_2.start(&mut launch, grid, 0) };
    }

    pub fn kernel_4(
        &self,
        grid: Grid,
        n: i32,
        alpha: Real,
        x: &DeviceArray<Real>,
        residual: &DeviceArray<Real>,
        p: &DeviceArray<Real>,
        ap: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let x = x.cells();
        let residual = residual.cells();
        let p = p.cells();
        let ap = ap.cells();
        let mut launch = self.device.launch(&self.kernel_4);
        launch
            .arg(&n)
            .arg(&alpha)
            .arg(&*x)
            .arg(&*residual)
            .arg(&*p)
            .arg(&*ap);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_4.start(&mut launch, grid, 0) };
    }

    pub fn kernel_5(
        &self,
        grid: Grid,
        n: i32,
        beta: Real,
        residual: &DeviceArray<Real>,
        p: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let residual = residual.cells();
        let p = p.cells();
        let mut launch = self.device.launch(&self.kernel_5);
        launch.arg(&n).arg(&beta).arg(&*residual).arg(&*p);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.kernel_5.start(&mut launch, grid, 0) };
    }
}
