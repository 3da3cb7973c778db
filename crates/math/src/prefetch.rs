//! Memory asked for before it is needed.

/// Asks for element `i` of a slice, if there is one: it comes closer while other work is done. Only a hint.
#[inline(always)]
pub fn prefetch<X>(from: &[X], i: usize) {
    #[cfg(target_arch = "x86_64")]
    if let (Some(x), Some(sse)) = (from.get(i), fearless_simd::Level::baseline().as_sse2()) {
        let start = std::ptr::from_ref(x).cast::<i8>();
        for line in 0..size_of::<X>().div_ceil(LINE) {
            ask(sse, start.wrapping_add(line * LINE));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (from, i);
}

/// Bytes that come at once.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    #[inline(always)]
    fn ask(sse: Sse2, at: *const i8) {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at);
    }
);
