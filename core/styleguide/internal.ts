// What the adapters and components of this package share with the styleguide, and no user of the package is to rely on.
export { readDeclarations } from './css-declarations.js'
export { createUniqueSlugs } from './unique-slugs.js'
export { type Contrast, layOver, measureContrast, type Srgb } from './wcag.js'
