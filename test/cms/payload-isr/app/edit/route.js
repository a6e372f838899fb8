export { POST } from '../../../payload-next/app/edit/route.js'
