import { cacheControl, renderedAt, src } from '../../../site.js'

export const load = ({ setHeaders }) => {
  setHeaders({ 'Cache-Control': cacheControl })
  return { at: renderedAt(), src }
}
