import { labelPaintedColors } from './colors.js'
import { copyValues } from './copy.js'
import { arrangeFrames } from './frames.js'
import { listHeadings, markBreakpoints, paintValues, scrollToCurrentPage, warnOfMissingStylesheet } from './page.js'
import { checkScheme, rememberScheme } from './scheme.js'
import { searchPages } from './search.js'
import { openSwatches, showTarget } from './swatches.js'
import { showTrial, tryColors } from './trial.js'

rememberScheme()
searchPages()
openSwatches()
tryColors()
copyValues()
labelPaintedColors()
// These depend on the document.
document.addEventListener('DOMContentLoaded', () => {
  checkScheme()
  listHeadings()
  scrollToCurrentPage()
  showTarget()
  showTrial()
})
// These depend on the complete page.
addEventListener('load', () => {
  markBreakpoints(document)
  arrangeFrames(document)
  paintValues()
  warnOfMissingStylesheet()
})
