/** The texts of the shell, for a styleguide in another language. */
export interface StyleguideLabels {
  /** Default `'Skip to content'`. */
  skip: string
  /** Accessible name of the navigation. Default `'Styleguide pages'`. */
  navigation: string
  /** The button that opens the navigation on a small screen. Default `'Menu'`. */
  menu: string
  /** Accessible name of the breadcrumbs. Default `'Breadcrumb'`. */
  breadcrumb: string
  /** The button that closes the navigation on a small screen. Default `'Close'`. */
  close: string
  /** The field that searches pages, tokens and components. Default `'Search'`. */
  search: string
  /** Announced with the number of matches. Default `'Found:'`. */
  found: string
  /** Announced if nothing matches. Default `'Nothing found'`. */
  none: string
  /** Above the colors nearest to a hex that is none of the site's, and the pages nearest to a missing one. Default `'These come nearest:'`. */
  nearest: string
  /** Title of the page that lists all searchable items. Default `'Index'`. */
  index: string
  /** Title for a URL that matches no page. Default `'Page not found'`. */
  missing: string
  /** Accessible name of the color scheme switch. Default `'Color scheme'`. */
  scheme: string
  /** The option for the operating system's color scheme. Default `'System'`. */
  system: string
  /** Default `'Light'`. */
  light: string
  /** Default `'Dark'`. */
  dark: string
  /** Announced before the copied value. Default `'Copied'`. */
  copied: string
  /** Announced if the browser does not allow copying. Default `'Could not copy; the text is selected'`. */
  copyFailed: string
  /** Heading of the error that replaces a page's content. Default `'This page could not be rendered'`. */
  failed: string
}

/** The default texts. */
export const englishLabels: StyleguideLabels = {
  skip: 'Skip to content',
  navigation: 'Styleguide pages',
  menu: 'Menu',
  breadcrumb: 'Breadcrumb',
  close: 'Close',
  search: 'Search',
  found: 'Found:',
  none: 'Nothing found',
  nearest: 'These come nearest:',
  index: 'Index',
  missing: 'Page not found',
  scheme: 'Color scheme',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  copied: 'Copied',
  copyFailed: 'Could not copy; the text is selected',
  failed: 'This page could not be rendered',
}
