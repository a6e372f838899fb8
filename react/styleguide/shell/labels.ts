/** The shell's few words, for a styleguide in another language. */
export interface StyleguideLabels {
  /** Default `'Skip to content'`. */
  skip: string
  /** What the list of pages is called. Default `'Styleguide pages'`. */
  navigation: string
  /** The button that opens it on a small screen. Default `'Menu'`. */
  menu: string
  /** Default `'Breadcrumb'`. */
  breadcrumb: string
  /** The field that filters the pages by title. Default `'Filter pages'`. */
  filter: string
  /** Stands before the number of pages that are left. Default `'Pages found:'`. */
  found: string
  /** Default `'Color scheme'`. */
  scheme: string
  /** The scheme that follows the system's. Default `'System'`. */
  system: string
  /** Default `'Light'`. */
  light: string
  /** Default `'Dark'`. */
  dark: string
  /** The links at the end of a page. Default `'Previous and next page'`. */
  turn: string
  /** Default `'Previous'`. */
  previous: string
  /** Default `'Next'`. */
  next: string
  /** Said with what was copied. Default `'Copied'`. */
  copied: string
  /** Said when the browser refuses. Default `'Could not copy; the text is selected'`. */
  refused: string
  /** Stands where a page's content failed. Default `'This page could not be rendered'`. */
  failed: string
}

export const englishLabels: StyleguideLabels = {
  skip: 'Skip to content',
  navigation: 'Styleguide pages',
  menu: 'Menu',
  breadcrumb: 'Breadcrumb',
  filter: 'Filter pages',
  found: 'Pages found:',
  scheme: 'Color scheme',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  turn: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  copied: 'Copied',
  refused: 'Could not copy; the text is selected',
  failed: 'This page could not be rendered',
}
