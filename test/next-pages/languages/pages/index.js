import { localizedProps } from '../routes.js'

export const getStaticProps = async ({ locale }) => ({ props: await localizedProps(locale, '/') })

export default function Page() {
  return <h1>Home</h1>
}
