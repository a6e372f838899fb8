import { createApp } from 'honox/server'

export default createApp()
