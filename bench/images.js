export async function benchImages() {}
