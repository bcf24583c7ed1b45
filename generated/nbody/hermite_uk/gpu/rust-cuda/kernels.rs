//! The kernels of `kernels.cu`, as functions that launch them and return at once.

use crate::device::{Device, DeviceArray, Kernel};
use crate::grid::Grid;
use crate::vector::Vec3;
use crate::Real;
use cudarc::driver::PushKernelArg;

/// The kernels on the device.
pub struct Kernels<'a> {
    device: &'a Device,
    obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel: Kernel,
    peredbachyty_koordynaty_ta_shvydkist_tila_kernel: Kernel,
    obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel_2: Kernel,
    utochnyty_koordynaty_ta_shvydkist_tila_kernel: Kernel,
}

impl<'a> Kernels<'a> {
    /// Finds the kernels on a device.
    pub fn on(device: &'a Device) -> Kernels<'a> {
        Kernels {
            device,
            obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel: device.kernel("obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel"),
            peredbachyty_koordynaty_ta_shvydkist_tila_kernel: device.kernel("peredbachyty_koordynaty_ta_shvydkist_tila_kernel"),
            obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel_2: device.kernel("obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel_2"),
            utochnyty_koordynaty_ta_shvydkist_tila_kernel: device.kernel("utochnyty_koordynaty_ta_shvydkist_tila_kernel"),
        }
    }

    pub fn obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel(
        &self,
        grid: Grid,
        n: i32,
        eps: Real,
        m: &DeviceArray<Real>,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        a0: &DeviceArray<Vec3>,
        j0: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let r = r.cells();
        let v = v.cells();
        let a0 = a0.cells();
        let j0 = j0.cells();
        let mut launch = self.device.launch(&self.obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel);
        launch
            .arg(&n)
            .arg(&eps)
            .arg(&*m)
            .arg(&*r)
            .arg(&*v)
            .arg(&*a0)
            .arg(&*j0);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel.start(&mut launch, grid, 0) };
    }

    pub fn peredbachyty_koordynaty_ta_shvydkist_tila_kernel(
        &self,
        grid: Grid,
        n: i32,
        dt: Real,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        a0: &DeviceArray<Vec3>,
        j0: &DeviceArray<Vec3>,
        rp: &DeviceArray<Vec3>,
        vp: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let r = r.cells();
        let v = v.cells();
        let a0 = a0.cells();
        let j0 = j0.cells();
        let rp = rp.cells();
        let vp = vp.cells();
        let mut launch = self.device.launch(&self.peredbachyty_koordynaty_ta_shvydkist_tila_kernel);
        launch
            .arg(&n)
            .arg(&dt)
            .arg(&*r)
            .arg(&*v)
            .arg(&*a0)
            .arg(&*j0)
            .arg(&*rp)
            .arg(&*vp);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.peredbachyty_koordynaty_ta_shvydkist_tila_kernel.start(&mut launch, grid, 0) };
    }

    pub fn obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel_2(
        &self,
        grid: Grid,
        n: i32,
        eps: Real,
        m: &DeviceArray<Real>,
        a1: &DeviceArray<Vec3>,
        j1: &DeviceArray<Vec3>,
        rp: &DeviceArray<Vec3>,
        vp: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let m = m.cells();
        let a1 = a1.cells();
        let j1 = j1.cells();
        let rp = rp.cells();
        let vp = vp.cells();
        let mut launch = self.device.launch(&self.obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel_2);
        launch
            .arg(&n)
            .arg(&eps)
            .arg(&*m)
            .arg(&*a1)
            .arg(&*j1)
            .arg(&*rp)
            .arg(&*vp);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.obchyslyty_pryskorennia_ta_ryvok_tila_za_ta_kernel_2.start(&mut launch, grid, 0) };
    }

    pub fn utochnyty_koordynaty_ta_shvydkist_tila_kernel(
        &self,
        grid: Grid,
        n: i32,
        dt: Real,
        r: &DeviceArray<Vec3>,
        v: &DeviceArray<Vec3>,
        a0: &DeviceArray<Vec3>,
        j0: &DeviceArray<Vec3>,
        a1: &DeviceArray<Vec3>,
        j1: &DeviceArray<Vec3>,
        rp: &DeviceArray<Vec3>,
        vp: &DeviceArray<Vec3>,
    ) {
        if grid.blocks == 0 {
            return;
        }
        let r = r.cells();
        let v = v.cells();
        let a0 = a0.cells();
        let j0 = j0.cells();
        let a1 = a1.cells();
        let j1 = j1.cells();
        let rp = rp.cells();
        let vp = vp.cells();
        let mut launch = self.device.launch(&self.utochnyty_koordynaty_ta_shvydkist_tila_kernel);
        launch
            .arg(&n)
            .arg(&dt)
            .arg(&*r)
            .arg(&*v)
            .arg(&*a0)
            .arg(&*j0)
            .arg(&*a1)
            .arg(&*j1)
            .arg(&*rp)
            .arg(&*vp);
        // SAFETY: these are the kernel's parameters, in its order and of its types.
        unsafe { self.utochnyty_koordynaty_ta_shvydkist_tila_kernel.start(&mut launch, grid, 0) };
    }
}
