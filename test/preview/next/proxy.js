import { NextResponse } from 'next/server'
import { preview } from './preview.js'

export const proxy = (request) => preview.respond(request, NextResponse.next())
