export default (_, response) => response.json({})
