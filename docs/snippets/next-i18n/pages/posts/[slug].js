import { localizedProps, posts } from '../../routes.js'

export const getStaticPaths = () => ({ paths: [], fallback: 'blocking' })

export async function getStaticProps({ locale, params: { slug } }) {
  const post = posts.find((post) => post[locale] === slug)
  if (!post) return { notFound: true }
  return { props: { slug, ...(await localizedProps(locale, `/posts/${slug}`)) } }
}

export default function Post({ slug }) {
  return <h1>{slug}</h1>
}
