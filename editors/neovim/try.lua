-- Opens a scheme with a mistake in Neovim, with the settings beside this file, and asks what a person would ask:
--
--   GLUSHKOV=target/debug/glushkov nvim --headless --clean -c "luafile editors/neovim/try.lua"
--
-- Prints what came, one line each; ends with 1 where something did not.

local here = debug.getinfo(1, "S").source:sub(2):match("(.*)/") or "."
vim.g.glushkov = { path = vim.env.GLUSHKOV or "glushkov" }

local text = [[
SCHEME "Sum" ====
DATA
  N : INTEGER := 10
  a : REAL [N] OUTPUT
  sum : REAL OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP a[i] := i END OF LOOP;
  sum := 0;
  FOR (i FROM 0 TO N - 1) LOOP   sum := sum + b[i] END OF LOOP
END OF SCHEME "Sum"
]]

local PATIENCE = 30000

local function show(what, value)
  print(what .. ": " .. (tostring(value):gsub("\n", " | ")) .. "\n")
end

local function lines()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function await(what, done)
  assert(vim.wait(PATIENCE, done, 20), what .. " did not come")
end

--- The answer of the server to a question about the `n`-th place of a word.
local function ask(method, word, more)
  local start = assert(lines():find(word, 1, true))
  local before = lines():sub(1, start - 1)
  local line = select(2, before:gsub("\n", ""))
  local column = #before:match("[^\n]*$")
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line, character = column },
  }
  for key, value in pairs(more or {}) do
    params[key] = value
  end
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, PATIENCE))
  local _, answer = next(answers)
  assert(answer and not answer.err, method .. ": " .. vim.inspect(answer))
  return answer.result
end

local function try()
  dofile(here .. "/init.lua")
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  vim.fn.writefile(vim.split(text, "\n"), folder .. "/sum.saa")
  vim.cmd("edit " .. folder .. "/sum.saa")
  assert(vim.bo.filetype == "glushkov", vim.bo.filetype)

  await("a diagnostic", function()
    return #vim.diagnostic.get(0) > 0
  end)
  local told = vim.diagnostic.get(0)[1]
  show("diagnostic", told.lnum + 1 .. ":" .. told.col + 1 .. " " .. told.message)

  -- The mistake is mended, and nothing is told any more.
  vim.api.nvim_buf_set_text(0, 8, 46, 8, 47, { "a" })
  await("no diagnostic", function()
    return #vim.diagnostic.get(0) == 0
  end)

  local hover = ask("textDocument/hover", "sum :")
  show("hover", hover.contents.value)

  local offered = ask("textDocument/completion", "sum := 0")
  local labels = {}
  for _, item in ipairs(offered.items or offered) do
    table.insert(labels, item.label)
  end
  show("completion", table.concat(labels, ", "))

  local edit = ask("textDocument/rename", "sum :", { newName = "total" })
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  show("renamed", vim.api.nvim_buf_get_lines(0, 8, 9, false)[1])

  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = PATIENCE })
  else
    vim.lsp.buf.formatting_sync(nil, PATIENCE)
  end
  show("laid out", vim.api.nvim_buf_get_lines(0, 8, 9, false)[1])
end

local well, wrong = xpcall(try, debug.traceback)
if not well then
  show("failed", wrong)
end
vim.cmd(well and "qall!" or "cquit 1")
