/** The journal's name, with its ampersand in italics. */
export function SiteName({ name }: { name: string }) {
  const [before, after] = name.split(' & ')
  if (!after) return name
  return (
    <>
      {before} <em>&amp;</em> {after}
    </>
  )
}
