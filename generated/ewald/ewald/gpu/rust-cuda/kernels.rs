//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::vector::Vec3;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    find_the_structure_factor_of_wave_vector_kernel: Kernel,
    find_the_force_on_ion_kernel: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            find_the_structure_factor_of_wave_vector_kernel: device.kernel("find_the_structure_factor_of_wave_vector_kernel"),
            find_the_force_on_ion_kernel: device.kernel("find_the_force_on_ion_kernel"),
        }
    }

    pub fn find_the_structure_factor_of_wave_vector_kernel(
        &self,
        grid: Grid,
        n: i32,
        side: i32,
        edge: Real,
        alpha: Real,
        r: &DeviceArray<Vec3>,
        q: &DeviceArray<Real>,
        re: &DeviceArray<Real>,
        im: &DeviceArray<Real>,
        weight: &DeviceArray<Real>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let r = r.cells();
        let q = q.cells();
        let re = re.cells();
        let im = im.cells();
        let weight = weight.cells();
        let mut launch = self.device.launch(&self.find_the_structure_factor_of_wave_vector_kernel);
        launch
            .arg(&n)
            .arg(&side)
            .arg(&edge)
            .arg(&alpha)
            .arg(&*r)
            .arg(&*q)
            .arg(&*re)
            .arg(&*im)
            .arg(&*weight);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.find_the_structure_factor_of_wave_vector_kernel.start(&mut launch, grid, 0) };
    }

    pub fn find_the_force_on_ion_kernel(
        &self,
        grid: Grid,
        n: i32,
        side: i32,
        edge: Real,
        r: &DeviceArray<Vec3>,
        q: &DeviceArray<Real>,
        re: &DeviceArray<Real>,
        im: &DeviceArray<Real>,
        weight: &DeviceArray<Real>,
        f: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let r = r.cells();
        let q = q.cells();
        let re = re.cells();
        let im = im.cells();
        let weight = weight.cells();
        let f = f.cells();
        let mut launch = self.device.launch(&self.find_the_force_on_ion_kernel);
        launch
            .arg(&n)
            .arg(&side)
            .arg(&edge)
            .arg(&*r)
            .arg(&*q)
            .arg(&*re)
            .arg(&*im)
            .arg(&*weight)
            .arg(&*f);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.find_the_force_on_ion_kernel.start(&mut launch, grid, 0) };
    }
}
