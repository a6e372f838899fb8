/** Next.js' own optimizer, allowed to answer with AVIF as the others do. */
export default { images: { formats: ['image/avif', 'image/webp'], minimumCacheTTL: 31536000 } }
