// The table of docs/guide/localized-pages.md, where it is a file of the site's own.
export { routes } from '../routes'
