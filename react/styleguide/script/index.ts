// Bundled into `sitewright/styleguide.js`, a plain script for the page's head. Uses no framework, and changes nothing
// in the document before the user interacts with it or the page is loaded, so that React can hydrate it.
import { markBreakpoints } from './breakpoints.js'
import { showCustomContrast } from './contrast.js'
import { copyColors } from './copy.js'
import { scrollToCurrentPage } from './current-page.js'
import { filterPages } from './filter.js'
import { fitFrames } from './frames.js'
import { linkHeadings } from './headings.js'
import { labelPaintedColors } from './painted.js'
import { rememberScheme } from './scheme.js'
import { warnOfMissingStylesheet } from './stylesheet.js'

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
