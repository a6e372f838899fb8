// Rendered for each request, so it is never old.
export const getServerSideProps = async () => ({ props: { at: Date.now() } })

export default function Page({ at }) {
  return <p>{at}</p>
}
