// Usage: npm run bench [-- <part> …], all parts by default.
const parts = {
  urls: async () => (await import('./urls.js')).benchUrls(),
  sizes: async () => (await import('./sizes.js')).benchSizes(),
  styleguide: async () => (await import('./styleguide.js')).benchStyleguide(),
  cache: async () => (await import('./cache.js')).benchCache(),
  pages: async () => (await import('./pages.js')).benchPages(),
  'in-front': async () => (await import('./in-front.js')).benchInFront(),
  content: async () => (await import('./content.js')).benchContent(),
  proxy: async () => (await import('./proxies.js')).benchProxy(),
  memory: async () => (await import('./memory.js')).benchMemory(),
  growth: async () => (await import('./growth.js')).benchGrowth(),
  images: async () => (await import('./images.js')).benchImages(),
  refinement: async () => (await import('./refinement.js')).benchRefinement(),
  refining: async () => (await import('./refinement.js')).benchRefining(),
  cost: async () => (await import('./cost.js')).benchCost(),
  placeholders: async () => (await import('./placeholders.js')).benchPlaceholders(),
}
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
const unknown = names.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`part: expected ${Object.keys(parts).join(', ')}, got ${unknown.join(', ')}`)
  process.exit(1)
}
console.log('Medians of alternating rounds; the ratio is to the first line. Lower is better, unless noted.')
for (const name of names) await parts[name]()
await import('./texts.js') // README.md and docs name the new figures
