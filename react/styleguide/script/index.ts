import { copyValues } from './copy.js'
import { arrangeFrames } from './frames.js'
import { fitSpecimens, listHeadings, paintValues, scrollToCurrentPage, warnOfMissingStylesheet } from './page.js'
import { checkScheme, rememberScheme } from './scheme.js'
import { searchPages, searchQuery } from './search.js'
import { openSwatches, showTarget } from './swatches.js'
import { tryColors } from './trial.js'

rememberScheme()
searchPages()
openSwatches()
copyValues()
// These depend on the document.
document.addEventListener('DOMContentLoaded', () => {
  checkScheme()
  searchQuery()
  listHeadings()
  fitSpecimens()
  scrollToCurrentPage()
  showTarget()
  tryColors()
})
// These depend on the complete page.
addEventListener('load', () => {
  arrangeFrames(document)
  paintValues()
  warnOfMissingStylesheet()
})
