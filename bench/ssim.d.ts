/** Creates a function that returns the mean structural similarity (SSIM) of the luma of an image to a reference. */
export function createSsim(reference: Uint8Array): Promise<(image: Uint8Array) => Promise<number>>
