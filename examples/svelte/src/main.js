import { mount } from 'svelte'
import SignInPage from './SignInPage.svelte'

mount(SignInPage, { target: document.getElementById('app') })
