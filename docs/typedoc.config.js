// The reference, out of the doc comments: one page for each function, class and type.
import { referenceEntries } from './reference-entries.js'

export default {
  plugin: ['typedoc-plugin-markdown', './reference-names.js', './reference-options.js'],
  entryPoints: referenceEntries.map(({ source }) => source),
  tsconfig: '../tsconfig.json',
  skipErrorChecking: true, // `npm run check` has checked them, with the types of all peers
  out: 'reference',
  name: 'Reference',
  entryFileName: 'index',
  router: 'member',
  readme: 'none',
  disableSources: true,
  githubPages: false,
  validation: { notExported: false },
  logLevel: 'Error',
  excludeExternals: true, // what Node's own types say of a request
  groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases'],
  parametersFormat: 'table',
  indexFormat: 'table', // with the first sentence of each
  pageTitleTemplates: { member: '{name}' },
  hidePageHeader: true,
  hideBreadcrumbs: true,
  sanitizeComments: true,
  useCodeBlocks: true,
  useHTMLAnchors: true, // as typedoc counts headings of one name, and not as VitePress does
  expandObjects: true,
}
