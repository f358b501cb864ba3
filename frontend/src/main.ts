// Starts the window. Without a host there is nothing to talk to, and the page
// says so.
import '@fontsource-variable/inter';
import '@fontsource-variable/inter/wght-italic.css';
import '@fontsource-variable/noto-serif';
import './styles/tokens.css';
import './styles/reset.css';
import './styles/type.css';
import { mount } from 'svelte';
import { connect, findHost } from './api';
import { m } from './paraglide/messages';
import Shell from './shell/Shell.svelte';

const target = document.getElementById('app');
const host = findHost();
if (target && host) mount(Shell, { target, props: { backend: connect(host) } });
else if (target) target.textContent = m.no_host();
