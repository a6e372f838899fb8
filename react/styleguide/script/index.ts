import { labelPaintedColors } from './colors.js'
import { copyValues } from './copy.js'
import { arrangeFrames } from './frames.js'
import {
  linkHeadings,
  listHeadings,
  markBreakpoints,
  paintValues,
  scrollToCurrentPage,
  warnOfMissingStylesheet,
} from './page.js'
import { rememberScheme } from './scheme.js'
import { searchPages } from './search.js'
import { openSwatches } from './swatches.js'
import { tryColors } from './trial.js'

rememberScheme()
searchPages()
listHeadings()
scrollToCurrentPage()
openSwatches()
tryColors()
copyValues()
labelPaintedColors()
linkHeadings()
// These depend on the complete page.
addEventListener('load', () => {
  markBreakpoints(document)
  arrangeFrames(document)
  paintValues()
  warnOfMissingStylesheet()
})
