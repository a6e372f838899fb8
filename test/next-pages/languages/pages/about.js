import { localizedProps } from '../routes.js'

export const getStaticProps = async ({ locale }) => ({ props: await localizedProps(locale, '/about') })

export default function Page() {
  return <h1>About</h1>
}
