export const loader = () => new Response('<feed>größer</feed>', { headers: { 'Content-Type': 'application/xml' } })
