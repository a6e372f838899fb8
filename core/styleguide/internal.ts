// Shared with this package's adapters and React components; not public.

export { groupByMode } from './colors/groups.js'
export { hexOf } from './colors/hex.js'
export { type Contrast, compositeOver, measureContrast, type Srgb } from './colors/wcag.js'
export { readStylesheet } from './readers/css/stylesheet.js'
export { checkTree } from './tree/check-tree.js'
export { createUniqueSlugs } from './tree/unique-slugs.js'
