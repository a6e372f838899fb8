// `import … from 'sitewright'`: everything that needs no server, runtime or framework. Adapters and components have
// their own entry points.
export * from './cache/index.js'
export * from './content/index.js'
export * from './image/index.js'
export * from './localized-pages/index.js'
export * from './metrics/index.js'
export * from './preview/index.js'
export * from './revalidate/index.js'
export * from './spacing/index.js'
export * from './styleguide/index.js'
