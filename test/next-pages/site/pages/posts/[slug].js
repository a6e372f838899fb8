export const getStaticPaths = async () => ({ paths: ['/posts/a'], fallback: 'blocking' })

export const getStaticProps = async () => ({ props: { at: Date.now() }, revalidate: 3600 })

export default function Post({ at }) {
  return <p>{at}</p>
}
