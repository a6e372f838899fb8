// What the adapters and components of this package share with the styleguide, and no user of the package is to rely on.

export { type Contrast, compositeOver, measureContrast, type Srgb } from './colors/wcag.js'
export { readDeclarations } from './readers/css/declarations.js'
export { createUniqueSlugs } from './tree/unique-slugs.js'
