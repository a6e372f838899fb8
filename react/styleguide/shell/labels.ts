/** The default texts of the shell. */
export const englishLabels = {
  skip: 'Skip to content',
  /** Accessible name of the navigation. */
  navigation: 'Styleguide pages',
  /** The button that opens the navigation on a small screen. */
  menu: 'Menu',
  /** Accessible name of the breadcrumbs. */
  breadcrumb: 'Breadcrumb',
  /** The button that closes the navigation on a small screen. */
  close: 'Close',
  /** The field that searches pages, tokens and components. */
  search: 'Search',
  /** Announced with the number of matches. */
  found: 'Found:',
  /** Announced if nothing matches. */
  none: 'Nothing found. Try a shorter word, or choose a page.',
  /** Above the results nearest to words that are found nowhere. */
  nearest: 'Nothing has this name. The nearest are:',
  /** Above the colors nearest to one that the site does not have. */
  noColor: 'No color has this value. The nearest are:',
  /** Heading of pages without pages below them. */
  more: 'More',
  /** Title of the page that lists all searchable items. */
  index: 'Index',
  /** Title for a URL that matches no page. `{name}` is the last part of its path. */
  missing: 'There is no page “{name}”',
  /** Below that title. */
  moved: 'Its address may have changed. Search for it, or choose a section.',
  /** Accessible name of the color scheme switch. */
  scheme: 'Color scheme',
  /** The option for the operating system's color scheme. */
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  /** Announced before the copied value. */
  copied: 'Copied',
  /** Announced if the browser does not allow copying. */
  copyFailed: 'Could not copy; the text is selected',
  /** Heading of the error that replaces a page's content. */
  failed: 'This page could not be rendered',
}

/** The texts of the shell, for a styleguide in another language. */
export type StyleguideLabels = { [Name in keyof typeof englishLabels]: string }
