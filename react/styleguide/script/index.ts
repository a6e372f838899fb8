// The styleguide's comfort: bundled into `sitewright/styleguide.js`, a plain script for the page's head. It needs no
// framework and changes nothing in the document before its reader does something, so that React may hydrate in peace.
import { markBreakpoints } from './breakpoints.js'
import { showCustomContrast } from './contrast.js'
import { copyColors } from './copy.js'
import { showCurrentPage } from './current-page.js'
import { filterPages } from './filter.js'
import { fitFrames } from './frames.js'
import { linkHeadings } from './headings.js'
import { rememberScheme } from './scheme.js'

rememberScheme()
filterPages()
showCurrentPage()
copyColors()
showCustomContrast()
linkHeadings()
// What is measured, is measured on the complete page.
addEventListener('load', () => {
  markBreakpoints(document)
  fitFrames(document)
})
