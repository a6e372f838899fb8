import { currentPage } from '../../../site/styleguide'

export async function GET() {
  return (await currentPage()).GET()
}
