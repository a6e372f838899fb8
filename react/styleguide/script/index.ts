// Bundled into `sitewright/styleguide.js`, a plain script for the page's head. Uses no framework, and changes nothing
// in the document before the user interacts with it or the page is loaded, so that React can hydrate it.
import { labelPaintedColors, showCustomContrast } from './colors.js'
import { copyColors } from './copy.js'
import { filterPages } from './filter.js'
import { fitFrames, linkHeadings, markBreakpoints, scrollToCurrentPage, warnOfMissingStylesheet } from './page.js'
import { rememberScheme } from './scheme.js'

rememberScheme()
filterPages()
scrollToCurrentPage()
copyColors()
showCustomContrast()
labelPaintedColors()
linkHeadings()
// These depend on the complete page.
addEventListener('load', () => {
  markBreakpoints(document)
  fitFrames(document)
  warnOfMissingStylesheet()
})
