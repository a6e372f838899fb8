import { styleguide } from '../../styleguide.js'

export const GET = ({ request }) => styleguide(request)
