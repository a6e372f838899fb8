import type { NotFoundHandler } from 'hono'

const notFound: NotFoundHandler = (c) => c.render(<h1>No such tide</h1>)
export default notFound
