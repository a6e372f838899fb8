import { BuiltPage, currentPage } from '../../../site/styleguide'

export const generateMetadata = BuiltPage.generateMetadata

export default async function Page(props: { params: Promise<{ slug?: string[] }> }) {
  return (await currentPage())(props)
}
